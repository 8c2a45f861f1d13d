/** Headers in which callers and proxies carry credentials, and which do not count. */

/**
 * Headers that look like the two that count; none with "_" in place of "-", which CGI hosts cannot tell apart (RFC 3875,
 * 4.1.18). `product`: the product's name.
 */
export const likeliest = (product: string): readonly string[] => [
  "proxy-authorization",
  "x-authorization",
  "x-api-key",
  "x-auth-token",
  `x-${product}-secret`,
  `x-${product}-webhook-token`,
  `${product}-webhook-secret`,
  "x-webhook-token",
  "x-token",
  "x-secret",
  "x-access-token",
  "x-shared-secret",
  "x-gitlab-token",
  "x-hub-signature",
  "x-hub-signature-256",
];

/** All that are tried. */
export const lookalikes = (product: string): readonly string[] => [
  ...likeliest(product),
  "x-webhook-secret",
  "webhook-secret",
  "x-other-webhook-secret",
  `x-${product}-other-webhook-secret`,
  `x-${product}-webhooks-secret`,
  `x-${product}-webhook-signature`,
  `x-${product}-token`,
  `x-${product}-api-key`,
  "x-webhook-signature",
  "x-signature",
  "x-forwarded-authorization",
  "x-original-authorization",
  "authentication",
  "api-key",
  "apikey",
  "token",
  "secret",
  "private-token",
  "x-auth",
  "x-auth-key",
  "x-telegram-bot-api-secret-token",
  "x-goog-channel-token",
  "referer",
];
