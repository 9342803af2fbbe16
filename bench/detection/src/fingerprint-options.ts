import type { FingerprintGeneratorOptions } from 'fingerprint-generator'

/** The most common choice: Chrome on Windows. */
export const FINGERPRINT_OPTIONS: Partial<FingerprintGeneratorOptions> = {
  browsers: ['chrome'],
  devices: ['desktop'],
  operatingSystems: ['windows'],
  locales: ['en-US'],
}
