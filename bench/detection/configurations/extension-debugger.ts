import type { Configuration } from '../src/configuration.ts'
import { driveByExtension } from '../src/drive/extension.ts'

export const extensionDebugger: Configuration = {
  id: 'extension-debugger',
  title: 'An extension that drives the page by `chrome.debugger`',
  kind: 'automation',
  family: 'extension',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => driveByExtension(visit, 'debugger'),
}
