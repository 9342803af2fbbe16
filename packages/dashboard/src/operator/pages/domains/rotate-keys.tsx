import { KEY_KIND_NAMES, type RotatedKey } from '@inkling/contract/account'
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'

type Kind = RotatedKey['kind']

const LABELS: Record<Kind, string> = { api: 'API key', secret: 'Secret key', public: 'Public key' }

const CONSEQUENCES: Record<Kind, string> = {
  api: 'Backends that read the History API are refused until they have the new key.',
  secret: 'Backends that use the Management API are refused until they have the new key.',
  public: 'Pages are not identified until their snippet has the new key.',
}

export function RotateKeys({ domain }: { domain: string }) {
  const [asking, setAsking] = useState<Kind>()
  const [rotated, setRotated] = useState<RotatedKey>()
  const rotate = useChange('rotateKey', ['listDomains', 'getDomain'])

  async function confirm(): Promise<void> {
    if (asking === undefined) return
    const params = { domain, kind: asking }
    setRotated(await attempt(`The ${LABELS[asking]} was replaced.`, () => rotate.mutateAsync({ params })))
  }

  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default" w="fit-content" rightSection={<Icon name="down" size={14} />}>
            Rotate a key
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KEY_KIND_NAMES.map((kind) => (
            <Menu.Item key={kind} onClick={() => setAsking(kind)}>
              {LABELS[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asking !== undefined}
        close={() => setAsking(undefined)}
        title={asking === undefined ? '' : `Rotate the ${LABELS[asking]} of ${domain}?`}
        action="Rotate"
        typed={domain}
        confirm={confirm}
      >
        {asking !== undefined && `The old key stops working within a second. ${CONSEQUENCES[asking]}`}
      </Confirm>
      <ShownOnce
        title={`New key of ${domain}`}
        about="Copy it now: it is not shown again."
        secrets={rotated && [{ name: LABELS[rotated.kind], value: rotated.key }]}
        close={() => setRotated(undefined)}
      />
    </>
  )
}
