import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const replayed = defineSignal({
  name: 'replayed',
  title: 'Sent before',
  weight: 60,
  meaning: 'The body or its ticket was sent before, under another request ID.',
  evidence: 'The request ID that the ticket was made for, and the digests of bodies that were seen.',
  innocentCauses: ['a proxy or service worker that repeats requests under changed addresses'],
  test({ proof }) {
    if (!proof) return unknown
    const { state, why, firstRequestId } = proof.ticket
    if (state !== 'repeated') return clear
    return hit(`Replayed (${why ?? 'ticket'})`, {
      repeated: why ?? 'ticket',
      first_request_id: firstRequestId,
    })
  },
})
