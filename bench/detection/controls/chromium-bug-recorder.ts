import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { extensionArgs } from '../src/drive/extension.ts'

export const chromiumBugRecorder: Configuration = {
  id: 'chromium-bug-recorder',
  title: 'Chromium with a recorder of bugs, which attaches to the page and reads console and network',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: extensionArgs('bug-recorder') }),
}
