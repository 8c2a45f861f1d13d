"""Sections 4, 7 and 8: the body as JSON."""

import json
import re

import http1
import server
from flows import Rejected
from subjects import coded, fault, faults

PARSE = (server, "parse")


def is_json(data):
    try:
        json.loads(data)
        return True
    except ValueError:
        return False


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


def refuses(condition, status=400, code="invalid_request"):
    def parse(was, data):
        if condition(data):
            raise Rejected(status, code, "The body is not JSON.")
        return was(data)

    return parse


def first_action(data):
    body = json.loads(data)
    return {**body, "action": body["action"][0]} if isinstance(body["action"], list) else body


faults(
    "4", *PARSE,
    ("json-utf16", "a body in UTF-16 is taken", loads(json.loads)),
    ("json-replace", "bytes that are not UTF-8 become replacement characters",
     reads(lambda data: data.decode("utf-8", "replace").encode())),
    ("json-rest", "what follows the object is not read",
     loads(lambda data: json.JSONDecoder().raw_decode(data.decode())[0])),
    ("json-nan", "NaN is taken as null", loads(lambda data: json.loads(data, parse_constant=lambda name: None))),
    ("json-comma", "a comma before the closing brace is taken",
     reads(lambda data: data if is_json(data) else re.sub(rb",\s*([}\]])", rb"\1", data))),
    ("action-list", "action may be a list with one name", loads(first_action)),
    ("json-escape", "escapes with \\u are refused", refuses(lambda data: b"\\u" in data)),
)
fault("json-beyond", "4", "a number beyond all numbers is stored, and an answer that shows it is no JSON", server, "finite",
      lambda was, text: float(text) if text[-1:].isdigit() else was(text))
fault("json-big-100k", "8", "a body over 100,000 bytes whose goal is long is not JSON", *PARSE,
      refuses(lambda data: len(data) > 100_000))


fault("json-code", "7", "a body that is not JSON has the code bad_json", *PARSE, coded("invalid_request", "bad_json"))
fault("json-500", "7", "a body that is a list is answered with 500", *PARSE,
      refuses(lambda data: data.lstrip()[:1] == b"[", 500, "internal_error"))


@fault("body-first-packet", "8", "only what has come when the body is read is read", http1, "read_body")
async def _(was, reader, writer, request, limit):
    if "transfer-encoding" in request.headers:
        return await was(reader, writer, request, limit)
    length = int(request.headers.get("content-length", "0"))
    if length > limit:
        raise http1.TooLarge()
    request.body_pending = False
    return await reader.read(length) if length else b""
