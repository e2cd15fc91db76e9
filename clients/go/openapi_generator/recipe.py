"""OpenAPI Generator, generator `go`. All constants share one name space, so each is named after its type."""

from client import Client


def run(client: Client) -> None:
    go = client.tools.go()
    properties = "enumClassPrefix=true,packageName=rollcall"
    module = ["--git-host=example.org", "--git-user-id=clients", "--git-repo-id=rollcall"]
    client.openapi_generator("go", client.work, *module, f"--additional-properties={properties}")
    client.bring("call.go", client.work / "call/call.go")
    cache = client.tools.cache / "go"
    # The code needs nothing but the standard library; GOPROXY=off proves it.
    env = {"GOCACHE": str(cache / "build"), "GOPATH": str(cache / "path"), "GOPROXY": "off"}
    env |= {"GOTOOLCHAIN": "local", "GOFLAGS": "", "GOROOT": str(go.parent.parent)}
    client.step("check", [go, "vet", "./..."], env=env)
    client.step("build", [go, "build", "-o", "calls", "./call"], env=env)
    client.call([client.work / "calls"])
