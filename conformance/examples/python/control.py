"""The control port: what the kit cannot do through the routes. For tests on this machine only."""

import asyncio
import hmac
import json
import os

import http1


class ControlPort:
    def __init__(self, flows, log):
        self.flows, self.log = flows, log
        # The kit hands over a token: any user of this machine can reach the port.
        self.authorization = f"Bearer {os.environ['WEBHOOKS_CONTROL_TOKEN']}".encode()
        self.calls = {
            ("GET", "/capabilities"): lambda body: {"capabilities": ["children", "sessions", "logs"], "canaries": []},
            ("GET", "/logs"): lambda body: {"lines": self.log},
            ("POST", "/tasks/settle"): self.settle,
            ("POST", "/flows/seed"): self.seed,
        }

    def settle(self, body):
        """Sets the status of a child task; completes a cancellation that waited for it. Raises LookupError."""
        flow = self.flows.by_id[body["flowId"]]
        task = next((task for task in flow.tasks if task["taskId"] == body["taskId"]), None)
        if task is None:
            raise LookupError("taskId")
        task["status"] = body["status"]
        self.flows.complete_cancellation(flow)
        return {}

    def seed(self, body):
        """Stores a flow in any session, managed or unmanaged."""
        fields = {"goal": body.get("goal", "seeded"), "status": body.get("status", "queued")}
        flow = self.flows.add(body["sessionKey"], {**fields, "notifyPolicy": "done_only", "controllerId": "control"})
        flow.managed = body.get("managed", True)
        return {"flowId": flow.fields["flowId"], "revision": flow.fields["revision"]}

    async def connection(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (http1.BadRequest, http1.TooLarge, ConnectionError, asyncio.IncompleteReadError, asyncio.TimeoutError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        request = await http1.read_head(reader)
        if request is None:
            return False
        data = await asyncio.wait_for(http1.read_body(reader, writer, request, 65536), 15)
        status, answer = self.answer(request, data)
        headers = {"content-type": "application/json"}
        return await http1.send(reader, writer, status, headers, json.dumps(answer).encode(), request)

    def answer(self, request, data):
        if not hmac.compare_digest(request.headers.get("authorization", "").encode(), self.authorization):
            return 401, {"error": "the token of WEBHOOKS_CONTROL_TOKEN is needed"}
        call = self.calls.get((request.method, request.path))
        if call is None:
            return 404, {"error": "there is no such call"}
        try:
            return 200, call(json.loads(data) if data else {})
        except LookupError as error:
            return 404, {"error": f"there is no such {error}"}
        except (ValueError, TypeError, AttributeError):
            return 400, {"error": "the body is not what this call takes"}
