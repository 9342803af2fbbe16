import { Counter, type Registry } from 'prom-client'
import type { TurnMessage } from '../../observe/turn/turn-responder.ts'

export function turnMetrics(registry: Registry) {
  const messages = new Counter({
    name: 'inkling_turn_messages_total',
    help: 'Messages to the responder of the network check, by transport and what they got',
    labelNames: ['transport', 'result'],
    registers: [registry],
  })

  return {
    turnMessage({ transport, result }: TurnMessage): void {
      messages.inc({ transport, result })
    },
  }
}
