import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { fillInByHand } from '../src/drive/desktop-input.ts'
import { extensionArgs } from '../src/drive/extension.ts'

export const chromiumFormFiller: Configuration = {
  id: 'chromium-form-filler',
  title: 'Chromium, form filled in by an extension like a password manager',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInChromium(visit, {
      args: extensionArgs('form-filler'),
      fillIn: () => fillInByHand(visit, { type: async () => {} }),
    }),
}
