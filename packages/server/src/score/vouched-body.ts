import type { Proof } from '../visit/proof.ts'

/** Whether a body has what the agent puts into it without any answer of the server: its digest, and key or `null`. */
export const isVouchedFor = ({ body, key }: Proof): boolean =>
  body === 'bound' && (key.state === 'proven' || key.state === 'unsupported')
