import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../src/lib/free-port.ts'
import type { Visit } from '../visit.ts'
import { onScreen } from './desktop-input.ts'

const POLL_MS = 100
/** A viewer sends no more moves than these. */
const MOVE_MS = 16
const HOLD_MS = 90
const KEY_GAP_MS = 120

let viewer: Socket | undefined

/** Shares the display over VNC, and connects a viewer without a picture. */
export async function withVnc(use: () => Promise<void>): Promise<void> {
  const port = await freePort()
  const args = ['-localhost', '-rfbport', String(port), '-nopw', '-quiet', '-forever', '-noxdamage']
  const server = spawn('x11vnc', args, { stdio: 'ignore' })
  const exited = once(server, 'exit')
  try {
    viewer = await shakeHands(port)
    await use()
  } finally {
    viewer?.destroy()
    server.kill()
    await exited
  }
}

/** The start of https://www.rfc-editor.org/rfc/rfc6143#section-7.1, without authentication. */
async function shakeHands(port: number): Promise<Socket> {
  const socket = await connected(port)
  await once(socket, 'data')
  for (const answer of ['RFB 003.008\n', Uint8Array.of(1), Uint8Array.of(1)]) {
    const heard = once(socket, 'data')
    socket.write(answer)
    await heard
  }
  socket.resume()
  return socket
}

async function connected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const opened = await once(socket, 'connect').catch(() => undefined)
    if (opened) return socket
    await pause(POLL_MS)
  }
}

/** https://www.rfc-editor.org/rfc/rfc6143#section-7.5.5 */
function point(x: number, y: number, pressed = false): void {
  const message = Buffer.from([5, pressed ? 1 : 0, 0, 0, 0, 0])
  message.writeUInt16BE(Math.round(x), 2)
  message.writeUInt16BE(Math.round(y), 4)
  viewer?.write(message)
}

/** https://www.rfc-editor.org/rfc/rfc6143#section-7.5.4 */
async function press(character: string): Promise<void> {
  for (const down of [1, 0]) {
    const message = Buffer.from([4, down, 0, 0, 0, 0, 0, 0])
    message.writeUInt32BE(character.charCodeAt(0), 4)
    viewer?.write(message)
    await pause(KEY_GAP_MS / 2)
  }
}

/** Fills in the fields with the mouse and the keyboard of the viewer. */
export async function fillInByVnc(visit: Visit): Promise<void> {
  const { name, email, join } = await onScreen(visit)
  let from = { x: 400, y: 480 }
  for (const [to, text] of [
    [name, 'Ada'],
    [email, 'ada.home'],
    [join, ''],
  ] as const) {
    for (let step = 1; step <= 30; step++) {
      const share = step / 30
      point(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share ** 1.3)
      await pause(MOVE_MS)
    }
    point(to.x, to.y, true)
    await pause(HOLD_MS)
    point(to.x, to.y)
    for (const character of text) await press(character)
    await pause(HOLD_MS)
    from = to
  }
}
