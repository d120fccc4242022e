"""`.env.example` lists every setting; `python -m tests.test_env_example` writes it anew."""

from pathlib import Path

from pydantic.fields import FieldInfo

from config.environment import ROOT, Environment, variable

EXAMPLE = ROOT / ".env.example"
HEAD = """\
# Settings of Repli: copy to .env and change what you need; variables of the environment win over .env.
# Each is shown with its default. Several words are separated by commas.
"""
OURS = {"as_owner", "process"}  # set by our own programs, never by a person


def test_the_example_lists_every_setting_with_its_default() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == example()


def example() -> str:
    """The text of `.env.example`."""
    fields = ((name, field) for name, field in Environment.model_fields.items() if name not in OURS)
    return HEAD + "".join(f"\n# {field.description}\n# {variable(name)}={default(field)}\n" for name, field in fields)


def default(field: FieldInfo) -> str:
    """The default as one would write it into the environment."""
    match field.default:
        case None:
            return ""
        case bool(value):
            return str(value).lower()
        case list(words):
            return ",".join(words)
        case Path() as path:
            return path.relative_to(ROOT).as_posix()
        case value:
            return str(value)


if __name__ == "__main__":
    EXAMPLE.write_text(example(), encoding="utf-8")
