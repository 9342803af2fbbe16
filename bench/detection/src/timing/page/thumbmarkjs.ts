import { Thumbmark } from '@thumbmarkjs/thumbmarkjs'

/** From nothing to the visitor's fingerprint, without telling anybody. */
export async function run(): Promise<void> {
  await new Thumbmark({ logging: false }).get()
}
