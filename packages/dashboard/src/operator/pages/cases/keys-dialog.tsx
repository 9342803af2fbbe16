import { Kbd, Modal, Table } from '@mantine/core'

const KEYS = [
  ['j', 'the next case'],
  ['k', 'the case before'],
  ['Enter', 'open it'],
  ['x', 'select it'],
  ['a', 'assign the selected ones, or this one, to yourself'],
  ['c', 'close the selected ones, or this one'],
  ['⌘K or Ctrl+K', 'find anything, on every page'],
  ['?', 'show these keys'],
] as const

export const KeysDialog = ({ opened, close }: { opened: boolean; close(): void }) => (
  <Modal opened={opened} onClose={close} title="Keys" centered closeButtonProps={{ 'aria-label': 'Close' }}>
    <Table>
      <Table.Tbody>
        {KEYS.map(([key, does]) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" w={130}>
              <Kbd>{key}</Kbd>
            </Table.Th>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Modal>
)
