/** Section 5: places of a request where a secret does not count, however much they look like the two headers that do. */
import { withBody, withHeader, withoutSecret, withPath, type Request } from "../interface/request.ts";

/** Headers that carry credentials elsewhere; none with "_" in place of "-", which CGI hosts cannot tell apart (RFC 3875, 4.1.18). */
const headers = (product: string): readonly string[] =>
  [
    "proxy-authorization x-authorization x-forwarded-authorization authentication x-auth-token token x-api-key api-key",
    "x-access-token private-token x-secret secret x-webhook-secret x-other-webhook-secret x-webhook-signature",
    "x-webhook-token x-gitlab-token x-hub-signature-256 referer",
    `x-${product}-secret x-${product}-webhook-token x-${product}-other-webhook-secret x-${product}-webhook-signature`,
    `x-${product}-token ${product}-webhook-secret`,
  ].flatMap((line) => line.split(" "));

/** Names under which cookies, queries and bodies carry credentials; the last one is the only one that ends in `secret`. */
const names = "token authorization auth key api_key access_token password bearer session signature secret".split(" ");

const pairs = (value: string, between: string): string => names.map((name) => `${name}=${value}`).join(between);

/** The request to a route of this product without its secret, but for one such place. */
export type Elsewhere = (request: Request, secret: string, product: string) => Request;

const inHeaders = (request: Request, secret: string, product: string, cookie: string): Request =>
  headers(product).reduce(
    (put, name) => withHeader(put, name, name.includes("auth") ? `Bearer ${secret}` : secret),
    withHeader(request, "cookie", cookie),
  );

export const IN_BODY = "the secret in the body";
export const IN_QUERY = "the secret in the query";

export const otherPlaces: Readonly<Record<string, Elsewhere>> = {
  // Careless code takes the one cookie that it expects for the whole header.
  "the secret in other headers and a cookie": (request, secret, product) =>
    inHeaders(withoutSecret(request), secret, product, `secret=${secret}`),
  "a wrong secret, the right one in other headers and cookies": (request, secret, product) => {
    const cookies = `${pairs(secret, "; ")}; x-${product}-webhook-secret=${secret}`;
    return inHeaders(withHeader(request, "authorization", "Bearer wrong"), secret, product, cookies);
  },
  [IN_BODY]: (request, secret, product) => {
    const flat = Object.fromEntries([...names, `x-${product}-webhook-secret`].map((name) => [name, secret]));
    const all = { ...flat, auth: flat, headers: { authorization: `Bearer ${secret}`, ...flat } };
    // Inserted before the first field: the body need not be valid JSON.
    const sent = new TextDecoder().decode(request.body);
    return withBody(
      withoutSecret(request),
      sent.replace("{", () => `{${JSON.stringify(all).slice(1, -1)},`),
    );
  },
  [IN_QUERY]: (request, secret) =>
    withPath(withoutSecret(request), `${request.path}?${pairs(encodeURIComponent(secret), "&")}`),
};
