/** The one-time value under which the page's policy lets this page add style elements. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
