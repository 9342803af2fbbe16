import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const chromiumAbroad: Configuration = {
  id: 'chromium-abroad',
  title: 'Chromium in Japanese, in Tokyo',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  env: { TZ: 'Asia/Tokyo', LANG: 'ja_JP.UTF-8', LANGUAGE: 'ja' },
  run: (visit) =>
    visitInChromium(visit, {
      args: ['--lang=ja'],
      prefs: { intl: { accept_languages: 'ja,en-US,en', selected_languages: 'ja,en-US,en' } },
    }),
}
