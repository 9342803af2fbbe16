import type { Configuration } from '../src/configuration.ts'
import { driveByExtension } from '../src/drive/extension.ts'

export const extensionTypist: Configuration = {
  id: 'extension-typist',
  title: 'An extension whose script types key by key and clicks with whole gestures',
  kind: 'automation',
  family: 'extension',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause: 'its events come from a script, as those of form fillers and password managers do',
  run: (visit) => driveByExtension(visit, 'typist'),
}
