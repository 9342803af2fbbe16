/**
 * What the page may do. Its component library writes its theme into style elements, which need the one-time
 * value; style attributes are set by script, which no directive covers. So nothing is `unsafe-inline`.
 */
export const contentSecurityPolicy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'self'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
