"""Two workers with threads; a fresh SQLite file for each start, removed at the end."""
import atexit
import os
import shutil
import signal
import sys
import tempfile

port = os.environ["PORT"]
bind = f"127.0.0.1:{port}"
worker_class = "gthread"
workers = 2
threads = 2
loglevel = "warning"


def on_starting(server):
    folder, main_process = tempfile.mkdtemp(prefix="django-directory-"), os.getpid()
    atexit.register(lambda: os.getpid() == main_process and shutil.rmtree(folder))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    os.environ["DATABASE"] = os.path.join(folder, "db.sqlite3")
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

    import django
    from django.core.management import call_command
    from django.db import connections

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("seed")
    connections.close_all()


def when_ready(server):
    print(f"listening on http://127.0.0.1:{port}/api/v1", flush=True)
