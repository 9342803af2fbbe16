export { type HandleOnceOptions, handleOnce } from './handle-once.ts'
export type { SignatureHeader } from './is-signed.ts'
export type { OtherEvent, WebhookDelivery } from './read-event.ts'
export { verify } from './verify.ts'
