import type { ReplayStore } from './replay-store.ts'

/** The part of a Redis client that the store uses. A client of `redis` fits as it is. */
export interface RedisCommands {
  sendCommand(command: string[]): Promise<unknown>
}

/**
 * A store in Redis, shared by all your processes. Redis expires the claims.
 *
 * @example
 * const store = redisReplayStore(await createClient().connect())
 * // ioredis:
 * const store = redisReplayStore({ sendCommand: ([name = '', ...rest]) => redis.call(name, ...rest) })
 */
export function redisReplayStore(
  redis: RedisCommands,
  { prefix = 'inkling:' }: { prefix?: string } = {},
): ReplayStore {
  return {
    async claim(key, ttlMs) {
      const ttl = String(Math.max(1, Math.ceil(ttlMs)))
      const reply = await redis.sendCommand(['SET', prefix + key, '1', 'NX', 'PX', ttl])
      return String(reply) === 'OK'
    },
    async release(key) {
      await redis.sendCommand(['DEL', prefix + key])
    },
  }
}
