import type { Configuration } from '../src/configuration.ts'
import { driveByExtension } from '../src/drive/extension.ts'

export const extensionScript: Configuration = {
  id: 'extension-script',
  title: 'An extension whose script sets the fields and clicks',
  kind: 'automation',
  family: 'extension',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause: 'its events come from a script, as those of form fillers and password managers do',
  run: (visit) => driveByExtension(visit, 'script'),
}
