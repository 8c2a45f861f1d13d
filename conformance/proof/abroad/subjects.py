"""The table of subjects: each replaces one function (or number) of the Python example."""

SUBJECTS = {}


class Subject:
    def __init__(self, section, says, owner, name, replacement, lawful):
        self.section, self.says, self.lawful = section, says, lawful
        self.owner, self.name, self.replacement = owner, name, replacement

    def install(self):
        was = getattr(self.owner, self.name)
        new = self.replacement
        if callable(was):
            new = lambda *args, **named: self.replacement(was, *args, **named)  # noqa: E731
        setattr(self.owner, self.name, new)
        actions = getattr(self.owner, "ACTIONS", {})
        if self.name in actions:
            actions[self.name] = new


def row(lawful, id, section, says, owner, name, *replacement):
    """A row with its replacement, or a decorator for it. A replacement gets the replaced function first."""

    def enter(function):
        assert id not in SUBJECTS, id
        SUBJECTS[id] = Subject(section, says, owner, name, function, lawful)

    return enter(*replacement) if replacement else enter


def fault(*cells):
    return row(False, *cells)


def lawful(*cells):
    return row(True, *cells)


def faults(section, owner, name, *rows):
    """Faults (id, says, replacement) of one section that replace the same function or number."""
    for id, says, replacement in rows:
        fault(id, section, says, owner, name, replacement)


def refused(code, change):
    """A replacement that changes refusals with a code: change(error, the function's arguments)."""

    def replacement(was, *args):
        try:
            return was(*args)
        except Exception as error:
            if getattr(error, "code", None) == code:
                change(error, *args)
            raise

    return replacement


def coded(code, other):
    return refused(code, lambda error, *args: setattr(error, "code", other))


def named(store, body):
    """The flow that a body names, of any session; None if there is none."""
    name = body.get("flowId", body.get("token"))
    return store.by_id.get(name) if isinstance(name, str) else None
