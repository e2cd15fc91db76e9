import uvicorn

from .settings import API_PREFIX, PORT


class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print(f"listening on http://127.0.0.1:{PORT}{API_PREFIX}", flush=True)


config = uvicorn.Config(
    "app.main:app", host="127.0.0.1", port=PORT, log_level="warning", access_log=False
)
Server(config).run()
