import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../src/lib/free-port.ts'
import { browserPath, CHROMIUM_ARGS } from '../browsers.ts'

const POLL_MS = 50

export interface RawCdp {
  /** Calls a method of the page's session. */
  call<Answer = unknown>(method: string, params?: object): Promise<Answer>
  close(): Promise<void>
}

/** A Chromium with an open debugging port. The port is not 0, because Chromium then reports automation. */
export function startDebuggable(profile: string, port: number, args: readonly string[]): ChildProcess {
  const fixed = [...CHROMIUM_ARGS, `--user-data-dir=${profile}`, `--remote-debugging-port=${port}`]
  return spawn(browserPath('chromium'), [...fixed, ...args], { stdio: 'ignore' })
}

/** Attaches to the only page without enabling the domains that let pages detect a debugger. */
export async function openRawCdp(profile: string, args: readonly string[]): Promise<RawCdp> {
  const port = await freePort()
  const browser = startDebuggable(profile, port, args)
  const socket = new WebSocket(await debuggingSocket(port))
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
  })
  let lastId = 0
  const send = (method: string, params: object, sessionId?: string): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>()
    waiting.set(++lastId, answer)
    socket.send(JSON.stringify({ id: lastId, method, params, sessionId }))
    return answer.promise
  }
  const { targetInfos } = (await send('Target.getTargets', {})) as {
    targetInfos: { targetId: string; type: string }[]
  }
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId
  const attached = await send('Target.attachToTarget', { targetId, flatten: true })
  const { sessionId } = attached as { sessionId: string }
  return {
    call: (method, params = {}) => send(method, params, sessionId) as Promise<never>,
    async close() {
      socket.close()
      const exited = once(browser, 'exit')
      browser.kill()
      await exited
    },
  }
}

/** URL of the debugging socket, as soon as Chromium responds. */
export async function debuggingSocket(port: number): Promise<string> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => undefined)
    if (answer?.ok) return ((await answer.json()) as { webSocketDebuggerUrl: string }).webSocketDebuggerUrl
    await pause(POLL_MS)
  }
}

/** The centre of an element, found without running script in the page. */
export async function middleOf({ call }: RawCdp, selector: string): Promise<{ x: number; y: number }> {
  const { root } = await call<{ root: { nodeId: number } }>('DOM.getDocument')
  const { nodeId } = await call<{ nodeId: number }>('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { model } = await call<{ model: { content: number[] } }>('DOM.getBoxModel', { nodeId })
  const [left = 0, top = 0, right = 0, , , bottom = 0] = model.content
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

export async function clickAt({ call }: RawCdp, at: { x: number; y: number }, pressMs = 0): Promise<void> {
  const button = { ...at, button: 'left', clickCount: 1 }
  await call('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at })
  await call('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
  if (pressMs > 0) await pause(pressMs)
  await call('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
}
