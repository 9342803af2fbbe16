import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request that is sent in two parts; the test decides when the second one follows. */
export interface HalfSent {
  /** Sends the second part and resolves with the response once the server closes the connection. */
  finish(): Promise<string>
  /** Everything received until the connection closed, on either side. */
  answer: Promise<string>
}

/** Resolves when the server has read the first part, because a stop closes connections without any data. */
export async function halfSent(port: number, first: string, rest: string): Promise<HalfSent> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const answer = text(socket).catch(() => '')
  await new Promise<void>((resolve) => socket.write(first, () => resolve()))
  // The server reads connections in the order of their arrival.
  await fetch(`http://127.0.0.1:${port}/health`)
  return {
    answer,
    finish() {
      socket.write(rest)
      return answer
    },
  }
}

/** A snapshot request whose body lacks one byte. */
export const halfSnapshot = (
  port: number,
  { requestId, publicKey }: { requestId: string; publicKey: string },
): Promise<HalfSent> =>
  halfSent(
    port,
    [
      `POST /snapshot/${requestId}?publicKey=${publicKey} HTTP/1.1`,
      'Host: localhost',
      'Origin: https://shop.example',
      'Content-Length: 2',
      '',
      '{',
    ].join('\r\n'),
    '}',
  )
