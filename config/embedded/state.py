"""`servers.json` in the data folder: secrets, ports and URLs of the embedded servers, for our eyes only (0600).

Secrets are made once and kept. A port is kept as long as it is free. Other commands read the URLs from here when
the environment does not name servers.
"""

import json
import os
import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from config.embedded import ports
from config.embedded.privileges import ServiceUser
from config.embedded.trouble import Trouble

FILE = "servers.json"
DATABASE = "repli"
OWNER = "repli_owner"
APPLICATION = "repli_app"
SUPERUSER = "postgres"


@dataclass(frozen=True, kw_only=True)
class Servers:
    """What one data folder's servers are called; `instance` names the folder itself."""

    instance: str
    postgres_port: int
    valkey_port: int
    superuser_password: str
    owner_password: str
    application_password: str
    valkey_password: str

    @property
    def database_url(self) -> str:
        """For the application: it may not change the tables' shape, nor history."""
        return self._postgres(APPLICATION, self.application_password)

    @property
    def migrate_database_url(self) -> str:
        """For migrations: the owner of the database."""
        return self._postgres(OWNER, self.owner_password)

    @property
    def superuser_database_url(self) -> str:
        """For repairs and tests."""
        return self._postgres(SUPERUSER, self.superuser_password)

    @property
    def redis_url(self) -> str:
        """For cache, sockets and tasks."""
        return f"redis://:{self.valkey_password}@127.0.0.1:{self.valkey_port}/0"

    def _postgres(self, role: str, password: str) -> str:
        return f"postgresql://{role}:{password}@127.0.0.1:{self.postgres_port}/{DATABASE}"


def load(data_dir: Path) -> tuple[Servers, bool]:
    """The folder's servers, and whether they are new ones with fresh secrets; written to disk before use."""
    path = data_dir / FILE
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return Servers(**{name: kept[name] for name in Servers.__dataclass_fields__}), False
    except FileNotFoundError:
        servers = _new()
    except (ValueError, KeyError, TypeError) as error:
        raise Trouble(f"{path} cannot be read ({error}): mend it, or remove it to have passwords made anew.") from None
    save(data_dir, servers)
    return servers, True


def with_free_ports(servers: Servers) -> Servers:
    """The same servers, with new ports where another program has taken the old ones meanwhile."""
    postgres, valkey = servers.postgres_port, servers.valkey_port
    if ports.taken("127.0.0.1", postgres):
        postgres = ports.free(besides=frozenset({valkey}))
    if ports.taken("127.0.0.1", valkey):
        valkey = ports.free(besides=frozenset({postgres}))
    return replace(servers, postgres_port=postgres, valkey_port=valkey)


def save(data_dir: Path, servers: Servers) -> None:
    """Write the file whole or not at all."""
    urls = {
        "database_url": servers.database_url,
        "migrate_database_url": servers.migrate_database_url,
        "superuser_database_url": servers.superuser_database_url,
        "redis_url": servers.redis_url,
    }
    write_private(data_dir / FILE, json.dumps(urls | asdict(servers), indent=1) + "\n")


def write_private(path: Path, text: str, user: ServiceUser | None = None) -> None:
    """Replace `path` by `text` in one step; only its owner (`user`, or us) may read it, at no moment anyone else."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        if user is not None:
            os.fchown(handle, user.uid, user.gid)
        file.write(text)
        file.flush()
        os.fsync(handle)
    unfinished.replace(path)


def _new() -> Servers:
    postgres = ports.free()
    return Servers(
        instance=secrets.token_hex(6),
        postgres_port=postgres,
        valkey_port=ports.free(besides=frozenset({postgres})),
        superuser_password=secrets.token_hex(24),
        owner_password=secrets.token_hex(24),
        application_password=secrets.token_hex(24),
        valkey_password=secrets.token_hex(24),
    )
