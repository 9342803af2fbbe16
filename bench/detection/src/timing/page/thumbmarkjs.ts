import { Thumbmark } from '@thumbmarkjs/thumbmarkjs'

/** From import to the visitor's fingerprint, without sending anything. */
export async function run(): Promise<void> {
  await new Thumbmark({ logging: false }).get()
}
