import type { ReplayStore } from './replay-store.ts'

/** What the store needs of a Redis client; a client of `redis` is one as it is. */
export interface RedisCommands {
  sendCommand(command: string[]): Promise<unknown>
}

/**
 * Keeps claims in Redis, so that all your processes share them. They expire by themselves.
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
