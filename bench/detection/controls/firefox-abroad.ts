import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'

export const firefoxAbroad: Configuration = {
  id: 'firefox-abroad',
  title: 'Firefox asking for German, in Sydney',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  env: { TZ: 'Australia/Sydney', LANG: 'de_DE.UTF-8', LANGUAGE: 'de' },
  run: (visit) => visitInFirefox(visit, { prefs: { 'intl.accept_languages': 'de-DE, de, en' } }),
}
