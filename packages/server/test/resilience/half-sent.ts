import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request of which the server has a part; the rest comes when the test says. */
export interface HalfSent {
  /** Sends the rest, and resolves with all that comes back until the server closes. */
  finish(): Promise<string>
  /** What came back by the end, whoever ended it. */
  answer: Promise<string>
}

/** Resolves when the server has read the first half: a connection of which it has nothing is closed by a stop. */
export async function halfSent(port: number, first: string, rest: string): Promise<HalfSent> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const answer = text(socket).catch(() => '')
  await new Promise<void>((resolve) => socket.write(first, () => resolve()))
  // Connections are read in the order in which they came.
  await fetch(`http://127.0.0.1:${port}/health`)
  return {
    answer,
    finish() {
      socket.write(rest)
      return answer
    },
  }
}

/** A snapshot whose body has a byte missing. */
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
