import { Button, List, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { attempt, Loaded } from '../../parts/feedback.tsx'
import { countedText } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'

/** Sets of rules to start from, which are added in shadow. */
export function ReadyMade({ domain }: { domain: string }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Ready-made sets
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title="Ready-made sets"
        size="xl"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Sets domain={domain} close={() => setOpened(false)} />
      </Modal>
    </>
  )
}

function Sets({ domain, close }: { domain: string; close(): void }) {
  const query = useApiQuery('listReadyMadeRules', {})
  const add = useApiMutation('addReadyMadeRules', ['listDecisionRules'])
  const take = (set: string, title: string, count: number) =>
    attempt(`${countedText(count, 'rule')} of “${title}” are in shadow.`, async () => {
      await add.mutateAsync({ params: { domain }, body: { set } })
      close()
    })
  return (
    <Stack gap="sm">
      <Text size="sm">
        Their rules start in shadow: they are counted and decide nothing. Look at their hits for a week, test
        them, then turn them on one by one.
      </Text>
      <Loaded query={query}>
        {({ sets }) => (
          <>
            {sets.map(({ id, title, about, rules }) => (
              <Section key={id} title={title} about={about}>
                <List size="sm">
                  {rules.map(({ name, condition }) => (
                    <List.Item key={name}>
                      {name}
                      <Text size="xs" className="dim" component="div">
                        <code>{condition}</code>
                      </Text>
                    </List.Item>
                  ))}
                </List>
                <Button
                  variant="default"
                  w="fit-content"
                  disabled={add.isPending}
                  aria-label={`Add the rules of ${title}`}
                  onClick={() => void take(id, title, rules.length)}
                >
                  Add {countedText(rules.length, 'rule')}
                </Button>
              </Section>
            ))}
          </>
        )}
      </Loaded>
    </Stack>
  )
}
