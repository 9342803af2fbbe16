import type { Configuration } from '../src/configuration.ts'
import { driveByExtension } from '../src/drive/extension.ts'

export const extensionDebuggerCareful: Configuration = {
  id: 'extension-debugger-careful',
  title: 'An extension that debugs the page from the start and clicks with pressure',
  kind: 'automation',
  family: 'extension',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) => driveByExtension(visit, 'debugger-careful'),
}
