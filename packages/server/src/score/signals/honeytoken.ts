import { clear, defineSignal, hit, unknown, valueIn } from '../define-signal.ts'

/**
 * What no tool of people is known to do. How often people's tools do it nevertheless was measured on few set-ups, so the
 * weight alone leaves a visit trusted; with anything else it does not.
 */
const BY_PROGRAMS = ['typed', 'followed', 'unattended'] as const
const WEIGHT = 25

export const honeytoken = defineSignal({
  name: 'honeytoken',
  title: 'Honeytoken used',
  weight: WEIGHT,
  meaning:
    'A program used what people do not see: it typed into a hidden field, followed a hidden link, or sent a form with a hidden field filled in before anybody had touched the page.',
  evidence:
    'Counts of what became of the field and the link that your page asked for, as the page "In the page" of this guide says. Unknown without them, and where the field was only filled in, because form fillers may do that.',
  innocentCauses: [
    "the operator's own end-to-end tests, and developers' tools that fill in every field and send the form",
    'a script of the page that moves the focus from field to field while somebody types, into any field of the form',
    'a form filler that fills in every field and sends the form by itself',
  ],
  test({ readings }) {
    const counts = valueIn(readings.honeytokens)
    if (!counts) return unknown
    const ways = BY_PROGRAMS.filter((way) => counts[way] > 0)
    if (ways.length > 0) return hit(`Honeytoken (${ways.join(', ')})`, counts)
    return counts.filled > 0 ? unknown : clear
  },
})
