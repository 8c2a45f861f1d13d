"""Section 4: the body as JSON."""

import ast
import json
import re

import flows
import http1
import server
from flows import Rejected
from subjects import fault

PARSE = (server, "parse")


def reads(change):
    """The bytes of the body, changed before they are read; as they are when the change cannot read them."""

    def parse(was, data):
        try:
            changed = change(data)
        except Exception:
            changed = data
        return was(changed)

    return parse


def loads(load):
    return reads(lambda data: json.dumps(load(data)).encode())


def first(data):
    text = data.decode()
    return json.JSONDecoder().raw_decode(text)[0]


def later_first(data):
    return json.loads(data, object_pairs_hook=lambda pairs: dict(reversed(pairs)))


fault("json-utf16", "4", "a body in UTF-16 is taken", *PARSE, loads(json.loads))
fault(
    "json-replace", "4", "bytes that are not UTF-8 become replacement characters", *PARSE,
    reads(lambda data: data.decode("utf-8", "replace").encode()),
)
fault("json-rest", "4", "what follows the object is not read", *PARSE, loads(first))
fault(
    "json-nan", "4", "NaN is taken as null", *PARSE,
    loads(lambda data: json.loads(data, parse_constant=lambda name: None)),
)
fault(
    "json-comma", "4", "a comma before the closing brace is taken", *PARSE,
    reads(lambda data: data if is_json(data) else re.sub(rb",\s*([}\]])", rb"\1", data)),
)
fault(
    "action-list", "4", "action may be a list with one name", *PARSE,
    loads(
        lambda data: (
            (lambda body: {**body, "action": body["action"][0]} if isinstance(body["action"], list) else body)(json.loads(data))
        ),
    ),
)


def valid(data):
    try:
        return data.decode() is not None
    except UnicodeDecodeError:
        return False


def is_json(data):
    try:
        json.loads(data)
        return True
    except ValueError:
        return False


def refuses(condition):
    def parse(was, data):
        if condition(data):
            raise Rejected(400, "invalid_request", "The body is not JSON.")
        return was(data)

    return parse


fault(
    "json-escape", "4", "escapes with \\u are refused", *PARSE, refuses(lambda data: b"\\u" in data),
)
fault(
    "json-big-100k", "8", "a body over 100,000 bytes whose goal is long is not JSON", *PARSE,
    refuses(lambda data: len(data) > 100_000),
)


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0)


@fault("json-code", "7", "a body that is not JSON has the code bad_json", *PARSE)
def _(was, data):
    try:
        return was(data)
    except Rejected:
        raise Rejected(400, "bad_json", "The body is not JSON.") from None


@fault("json-500", "7", "a body that is a list is answered with 500", *PARSE)
def _(was, data):
    if data.lstrip()[:1] == b"[":
        raise Rejected(500, "internal_error", "list indices must be integers")
    return was(data)


# --- what a flow keeps of state and wait data


def keeps(change):
    def set_waiting(was, store, route, body):
        data = {name: change(body[name]) for name in ("stateJson", "waitJson") if name in body}
        return was(store, route, {**body, **data})

    return set_waiting


def each(change):
    """Changes each value inside the data."""

    def walk(value):
        if isinstance(value, dict):
            return change({name: walk(inner) for name, inner in value.items()})
        return change([walk(inner) for inner in value] if isinstance(value, list) else value)

    return walk


WAIT = (flows, "set_waiting")
fault(
    "data-32-bits", "3", "numbers in stored data are cut to 32 bits", *WAIT,
    keeps(each(lambda value: value & 0xFFFFFFFF if type(value) is int else value)),
)
fault(
    "data-null", "3", "null in stored data is left out", *WAIT,
    keeps(
        each(
            lambda value: (
                {name: inner for name, inner in value.items() if inner is not None} if isinstance(value, dict)
                else value
            ),
        ),
    ),
)
fault(
    "data-sorted", "3", "lists in stored data are sorted", *WAIT,
    keeps(each(lambda value: sorted(value, key=json.dumps) if isinstance(value, list) else value)),
)

SHARED = {}


@fault("data-shared", "3", "all flows of the gateway share their stored data", *WAIT)
def _(was, store, route, body):
    SHARED.update((name, body[name]) for name in ("stateJson", "waitJson") if name in body)
    return was(store, route, {**SHARED, **body})


@fault(
    "body-first-packet", "8", "only what has come when the body is read is read", http1, "read_body",
)
async def _(was, reader, writer, request, limit):
    if "transfer-encoding" in request.headers:
        return await was(reader, writer, request, limit)
    length = int(request.headers.get("content-length", "0"))
    if length > limit:
        raise http1.TooLarge()
    request.body_pending = False
    return await reader.read(length) if length else b""
