import type { FingerprintGeneratorOptions } from 'fingerprint-generator'

/** The commonest wish: a Chrome on Windows. */
export const FINGERPRINT_OPTIONS: Partial<FingerprintGeneratorOptions> = {
  browsers: ['chrome'],
  devices: ['desktop'],
  operatingSystems: ['windows'],
  locales: ['en-US'],
}
