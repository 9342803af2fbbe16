import { type HistoryRow, isUuid, NIL_UUID } from '@inkling/contract'
import type { Client } from '@inkling/sdk'
import type { FastifyPluginAsync } from 'fastify'
import { refusalOf, refuse } from './demo-refusal.ts'
import type { DemoDeps } from './demo-routes.ts'

/** Enough to compare; the page shows no more. */
const SHOWN = 8

interface DeviceDeps extends Pick<DemoDeps, 'warn'> {
  inkling: Client
}

/** GET /demo/device/:deviceId: the last visits of one device, those of other windows included. */
export function demoDevice({ inkling, warn }: DeviceDeps): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { deviceId: string } }>('/demo/device/:deviceId', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const deviceId = request.params.deviceId.toLowerCase()
      // The nil device is everybody without one: never group by it.
      if (!isUuid(deviceId) || deviceId === NIL_UUID) return refuse(reply, 'invalid_request')
      try {
        const { data } = await inkling.history.search('device_id', deviceId, { limit: SHOWN })
        return { visits: data.map(presentVisit) }
      } catch (error) {
        const code = refusalOf(error)
        warn?.('the demo could not read the visits of a device', error)
        return refuse(reply, code)
      }
    })
  }
}

const presentVisit = (row: HistoryRow) => ({
  request_id: row.request_id,
  session_id: row.session_id,
  cookie_id: row.cookie_id,
  device_id: row.device_id,
  visitor_id: row.visitor_id,
  user_hid: row.user_hid,
  score: row.score,
  created_at: row.created_at,
})
