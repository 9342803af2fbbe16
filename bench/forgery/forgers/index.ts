import type { Case } from '../src/case.ts'
import { AGED } from './aged.ts'
import { CAPTURED } from './captured.ts'
import { CLIENTS } from './clients.ts'
import { COMPOSED } from './composed.ts'
import { EMPTY } from './empty.ts'
import { HARVESTED } from './harvested.ts'
import { IMITATED } from './imitated.ts'
import { IMITATED_DOM } from './imitated-dom.ts'
import { MOVED } from './moved.ts'
import { PROTOCOL } from './protocol.ts'
import { RELAY } from './relay.ts'
import { STOLEN } from './stolen.ts'

/** Nobody of these is a visitor in front of a browser; each should get 60 points or more, except for the relay. */
export const FORGERS: readonly Case[] = [
  ...EMPTY,
  ...COMPOSED,
  ...CAPTURED,
  ...AGED,
  ...MOVED,
  ...PROTOCOL,
  ...CLIENTS,
  ...IMITATED,
  ...IMITATED_DOM,
  ...HARVESTED,
  ...STOLEN,
  ...RELAY,
]
