import { AppError } from '../lib/errors.ts'
import type { Config } from './config.ts'

const WHAT_HELPS: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ port, setting }) =>
    `another program listens on port ${port}; stop it, or set ${setting.port} to a free one`,
  EACCES: ({ port, setting }) =>
    `this user may not listen on port ${port}; set ${setting.port} to 1024 or more, or allow it (CAP_NET_BIND_SERVICE, as deploy/systemd does)`,
  EADDRNOTAVAIL: ({ address, setting }) =>
    `this machine has no address ${address}; set ${setting.host} to one that it has`,
}

interface Place {
  address: string
  port: number
  /** The settings that chose them. */
  setting: { host: string; port: string }
}

/**
 * Says which setting helps where the system does not let the server listen.
 * @returns the error itself if it is about something else
 */
export function listeningProblem(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error
  const { code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const help = Object.hasOwn(WHAT_HELPS, code) ? WHAT_HELPS[code] : undefined
  if (!help || address === undefined || port === undefined) return error
  const setting = settingOf(port, config)
  return new AppError('INK_CONFIG', help({ address, port, setting }), { cause: error })
}

function settingOf(port: number, config: Config): Place['setting'] {
  if (port === config.ADMIN_PORT) return { host: 'ADMIN_HOST', port: 'ADMIN_PORT' }
  if (port === config.METRICS_PORT) return { host: 'METRICS_HOST', port: 'METRICS_PORT' }
  if (config.NODE_ADDRESS?.endsWith(`:${port}`)) return { host: 'NODE_ADDRESS', port: 'NODE_ADDRESS' }
  return { host: 'HOST', port: 'PORT' }
}
