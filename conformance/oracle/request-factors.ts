/**
 * What one request is made of, and what each part of it can be: the factors of the rows about the checks of section 4.
 * Values that are right come first; behind them, in `wrong`, those that one of the checks has to refuse.
 */
import { otherContentTypes, PASSES_BYTES, REFUSED_BYTES } from "../interface/broken-requests.ts";
import {
  paddedTo,
  withBearer,
  withBody,
  withHeader,
  withMethod,
  withoutSecret,
  withPath,
  withProductHeader,
  type Request,
} from "../interface/request.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { specialRoutes } from "../targets/standard-routes.ts";
import type { Trial } from "../harness/trial.ts";
import { otherPlaces } from "./other-places.ts";

type Put = (request: Request, route: ConfiguredRoute, trial: Trial) => Request;
type Values = Readonly<Record<string, Put>>;

const asIs: Put = (request) => request;
const typed =
  (type: string | undefined): Put =>
  (request) =>
    withHeader(request, "content-type", type);
const text = (request: Request): string => new TextDecoder().decode(request.body);
const worded =
  (change: (json: string) => string): Put =>
  (request) =>
    withBody(request, change(text(request)));
const sized =
  (bytes: number): Put =>
  (request) =>
    paddedTo(request, bytes);
const authorized =
  (make: (secret: string) => string): Put =>
  (request, { secret }) =>
    withHeader(request, "authorization", make(secret));
const base64 = (value: string): string => Buffer.from(value).toString("base64");
/** With the colon a multiple of three bytes, so that reports recognise the secret in its base64 form. */
const USER = "webhook-ops:";
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const withField = (value: string) => worded((json) => `${json.slice(0, -1)},"conformance":${value}}`);
const overrides = ["x-http-method-override", "x-http-method", "x-method-override", "x-method", "x-original-method"];
const parameters = ["_method", "method", "x-http-method-override"];

/** One whose secret is resolved from another source than the environment: the first that the target has. */
const ofOtherSource = (trial: Trial): ConfiguredRoute => {
  const { routes } = trial.server.configuration;
  const { execSecret, storeSecret } = specialRoutes;
  return routes.get(execSecret.id) ?? routes.get(storeSecret.id) ?? trial.special("fileSecret");
};

export const COLD = "unresolved secret";
/** Passes a check of the content type that is made only where there is a body. */
export const BARE = "none, and no body";

/** By kind; the first one has a session of its own, the others share one. */
export const routes = {
  "default path": (trial: Trial) => trial.stranger,
  "configured path": (trial: Trial) => trial.special("customPath"),
  "nested path": (trial: Trial) => trial.special("nestedPath"),
  "odd id": (trial: Trial) => trial.special("oddId"),
  "inline secret, enabled and controllerId given": (trial: Trial) => trial.special("customController"),
  "secret of another source": ofOtherSource,
  [COLD]: (trial: Trial) => trial.special("cold"),
} as const;

export const rightValues = {
  method: { POST: asIs },
  /** Headers and parameters that ask for another method than the request line has. */
  override: { nothing: asIs },
  "content type": {
    "application/json": asIs,
    "with a parameter": typed("application/json; charset=utf-8"),
    "with blanks around its semicolon": typed("application/json ; charset=utf-8"),
    "in capitals": typed("Application/JSON;charset=UTF-8"),
  },
  credential: {
    Bearer: asIs,
    "product header": (request, { secret }, { product }) => withProductHeader(request, product, secret),
  },
  body: {
    plain: asIs,
    "white space around the object": worded((json) => `\r\n\t ${json} \n`),
    "names with escapes": worded((json) => json.replaceAll(/"a(?=[a-z]+":)/g, '"\\u0061')),
    "256,000 bytes": sized(PASSES_BYTES),
    "an unknown field": withField("1"),
    "an unknown field, nested 20 deep": withField(nested(20)),
  },
  action: {
    create_flow: asIs,
    list_flows: worded(() => '{"action":"list_flows"}'),
    "finish_flow of no flow": worded(
      () => '{"action":"finish_flow","flowId":"no-such-flow-of-conformance","expectedRevision":1}',
    ),
  },
} as const satisfies Record<string, Values>;

export const wrongValues = {
  method: {
    ...Object.fromEntries(
      ["PUT", "GET", "HEAD", "PATCH", "DELETE", "OPTIONS", "QUERY", "post", "POSTED"].map((name): [string, Put] => [
        name,
        (request) => withMethod(request, name),
      ]),
    ),
    // As a browser asks before it sends a POST from another origin's page.
    OPTIONS: (request) => withHeader(withMethod(request, "OPTIONS"), "access-control-request-method", "POST"),
  },
  override: {
    "headers name POST": (request) => overrides.reduce((put, name) => withHeader(put, name, "POST"), request),
    "the query names POST": (request) =>
      withPath(request, `${request.path}?action=list_flows&${parameters.map((name) => `${name}=POST`).join("&")}`),
    "the body names POST": worded((json) => `${json.slice(0, -1)},"_method":"POST","method":"POST"}`),
  },
  "content type": {
    ...Object.fromEntries(otherContentTypes.map(({ type }) => [type ?? "none", typed(type)])),
    [BARE]: (request) => withBody(withHeader(request, "content-type", undefined), ""),
    "a list of types": typed("application/json, text/plain"),
    "a list that ends with the right one": typed("text/plain, application/json"),
    "a charset without semicolon": typed("application/json charset=utf-8"),
  },
  credential: {
    wrong: (request) => withBearer(request, "wrong"),
    none: withoutSecret,
    "a wrong secret in the product header": (request, _route, { product }) =>
      withProductHeader(request, product, "wrong"),
    "a wrong secret in both headers": (request, _route, { product }) =>
      withHeader(withBearer(request, "wrong"), `x-${product}-webhook-secret`, "wrong"),
    "a wrong secret of the same length": authorized((secret) => `Bearer ${"w".repeat(secret.length)}`),
    "the secret's first third": authorized((secret) => `Bearer ${secret.slice(0, Math.floor(secret.length / 3))}`),
    "the secret and an x": authorized((secret) => `Bearer ${secret}x`),
    "another route's secret": (request, _route, trial) => withBearer(request, trial.route.secret),
    ...Object.fromEntries(
      Object.entries(otherPlaces).map(([place, put]): [string, Put] => [
        place,
        (request, { secret }, { product }) => put(request, secret, product),
      ]),
    ),
    "the secret as a Basic password": authorized((secret) => `Basic ${base64(USER + secret)}`),
    "the secret without a scheme": authorized((secret) => secret),
    // Careless code looks at other headers only where Authorization is none of Bearer.
    "the scheme Token beside x-other-webhook-secret": (request, { secret }) =>
      withHeader(withHeader(request, "authorization", `Token ${secret}`), "x-other-webhook-secret", secret),
  },
  body: {
    "no JSON": worded(() => "{"),
    // A reader of texts in pieces keeps the first byte of a character for what comes next.
    "an end within a character": (request) =>
      withBody(request, Buffer.from('{"action":"list_flows","note":"\u6f22').subarray(0, -1)),
    "no body": worded(() => ""),
    "a list with the object": worded((json) => `[${json}]`),
    "a text that holds the object": worded((json) => JSON.stringify(json)),
    "the object and another": worded((json) => `${json} {}`),
    "262,145 bytes": sized(REFUSED_BYTES),
    "an unknown action": worded((json) => json.replace(/"action":"\w+"/, '"action":"no_such_action"')),
  },
} as const satisfies Record<string, Values>;

export type Part = keyof typeof rightValues;
export const parts = Object.keys(rightValues) as readonly Part[];

/** What a part is where a row leaves it out: its first value. */
export const usual = Object.fromEntries(parts.map((part) => [part, Object.keys(rightValues[part])[0]])) as Record<
  Part,
  string
>;
export const isRight = (part: Part, value: string): boolean => value in rightValues[part];

/** The right values of a part, and the wrong ones behind them. */
export const valuesOf = (part: Part): Values => ({
  ...rightValues[part],
  ...(part in wrongValues ? wrongValues[part as Check] : {}),
});

/** In the order in which they are applied: the action makes the body, whose form is changed then. */
const inOrder: readonly Part[] = ["action", "body", "content type", "credential", "override", "method"];

export function requestOf(
  trial: Trial,
  route: ConfiguredRoute,
  goal: string,
  values: Partial<Record<Part, string>>,
): Request {
  const right = trial.right({ action: "create_flow", goal }, route);
  return inOrder.reduce((request, part) => {
    const value = values[part];
    return (value === undefined ? undefined : valuesOf(part)[value])?.(request, route, trial) ?? request;
  }, right);
}

/** The parts that a check looks at, in the order of the checks; method and content type are one check. */
export const checks = ["method", "content type", "credential", "body"] as const;
export type Check = (typeof checks)[number];
