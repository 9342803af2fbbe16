import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * What assistive technology uses on Linux: AT-SPI, a tree of all programs over D-Bus, whose parts can be pressed
 * (https://gitlab.gnome.org/GNOME/at-spi2-core). `gdbus` makes the calls.
 */
export interface Accessibility {
  /** Does what a part with this name is for, as soon as there is one that does something: a field gets the focus. */
  use(name: string): Promise<void>
  close(): void
}

interface Part {
  owner: string
  path: string
}

/** A bus that starts no services: those of a desktop mount folders that outlive it. */
const BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`
const LAUNCHER = '/usr/libexec/at-spi-bus-launcher'
const ROOT: Part = { owner: 'org.a11y.atspi.Registry', path: '/org/a11y/atspi/accessible/root' }
const POLL_MS = 500
const PARTS_MAX = 2_000

/** Starts the two buses. Programs that start after it, with the environment of this process, are on them. */
export async function openAccessibility(): Promise<Accessibility> {
  const configuration = join(process.env.TMPDIR ?? '', 'bus.conf')
  await writeFile(configuration, BUS)
  const session = spawn('dbus-daemon', [`--config-file=${configuration}`, '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  process.env.DBUS_SESSION_BUS_ADDRESS = await firstLine(session)
  const launcher = spawn(LAUNCHER, ['--launch-immediately', '--a11y=1'], { stdio: 'ignore' })
  const address = await busAddress()

  const call = (part: Part, method: string, ...values: string[]): Promise<string> =>
    gdbus([
      '--address',
      address,
      '--dest',
      part.owner,
      '--object-path',
      part.path,
      '--method',
      method,
      ...values,
    ])
  const childrenOf = async (part: Part): Promise<Part[]> => {
    const answer = await call(part, 'org.a11y.atspi.Accessible.GetChildren').catch(() => '')
    return [...answer.matchAll(/\('([^']+)', (?:objectpath )?'([^']+)'\)/g)].map(
      ([, owner = '', path = '']) => ({
        owner,
        path,
      }),
    )
  }
  const doesSomething = async (part: Part, name: string): Promise<boolean> => {
    const property = ['org.a11y.atspi.Accessible', 'Name']
    const answer = await call(part, 'org.freedesktop.DBus.Properties.Get', ...property).catch(() => '')
    if (!answer.includes(`'${name}'`)) return false
    return (await call(part, 'org.a11y.atspi.Accessible.GetInterfaces')).includes('org.a11y.atspi.Action')
  }
  // A walk through all parts takes many seconds on a busy machine. The parts of a form follow each other, so each search
  // goes on where the last one ended, and the next one after the end of the tree begins anew.
  let queue: Part[] = []
  let at = 0
  const search = async (name: string): Promise<Part | undefined> => {
    if (queue.length === 0) {
      queue = await childrenOf(ROOT)
      at = 0
    }
    while (at < Math.min(queue.length, PARTS_MAX)) {
      const part = queue[at++] as Part
      const [found, children] = await Promise.all([doesSomething(part, name), childrenOf(part)])
      queue.push(...children)
      if (found) return part
    }
    queue = []
    return undefined
  }
  return {
    async use(name) {
      for (;;) {
        const part = await search(name)
        if (part) return void (await call(part, 'org.a11y.atspi.Action.DoAction', '0'))
        await pause(POLL_MS)
      }
    },
    close() {
      launcher.kill()
      session.kill()
    },
  }
}

async function gdbus(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('gdbus', ['call', ...args])
  return stdout
}

async function busAddress(): Promise<string> {
  const target = ['--session', '--dest', 'org.a11y.Bus', '--object-path', '/org/a11y/bus']
  for (;;) {
    const answer = await gdbus([...target, '--method', 'org.a11y.Bus.GetAddress']).catch(() => '')
    const address = /^\('(.+)',\)/.exec(answer)?.[1]
    if (address !== undefined) return address
    await pause(POLL_MS)
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the bus says nothing')
  const [line] = (await once(createInterface({ input: stdout }), 'line')) as [string]
  return line
}
