import type { Configuration } from '../src/configuration.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { extensionArgs } from '../src/drive/extension.ts'

export const chromiumAgentSwitched: Configuration = {
  id: 'chromium-agent-switched',
  title: 'Chromium with an extension that switches the user agent in pages and requests',
  kind: 'control',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => visitInChromium(visit, { args: extensionArgs('agent-switcher') }),
}
