import { execFileSync } from 'node:child_process'

const [ourAddress, address] = ['198.18.77.1', '198.18.77.2']

export type CuttableNetwork = {
  /** Of the machine at its other end. */
  address: string
  /** Ours, as that machine sees us. */
  ourAddress: string
  /** The command that runs another one on that machine. */
  enter: readonly string[]
  /** From now on, no packet arrives in either direction, and none is refused. */
  cut: () => void
  /** Connections that were open go on, as after a failure of a switch. */
  restore: () => void
  remove: () => void
}

const run = (command: readonly string[]): string => {
  const [program = '', ...args] = command
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/**
 * A network to another machine, which is a namespace of this one. It shares the file system. Throws
 * where this machine does not allow it: it requires root and iproute2. Throws while another run
 * has one, also one that was killed.
 */
export function openCuttableNetwork(): CuttableNetwork {
  const name = `meridian-${process.pid}`
  const [ours, theirs] = [`mer${process.pid}a`, `mer${process.pid}b`]
  const ip = (words: string): string => run(['ip', ...words.split(' ')])
  const enter = ['ip', 'netns', 'exec', name]
  const there = (words: string): string => run([...enter, 'ip', ...words.split(' ')])
  const removeMachine = (): void => void ip(`netns del ${name}`)
  const [, other] = /^\d+: (\w+)/.exec(ip(`-oneline addr show to ${ourAddress}`)) ?? []
  if (other) throw new Error(`Another run has the network. If none does: ip link del ${other}`)
  ip(`netns add ${name}`)
  try {
    ip(`link add ${ours} type veth peer name ${theirs} netns ${name}`)
    ip(`addr add ${ourAddress}/24 dev ${ours}`)
    ip(`link set ${ours} up`)
    there(`addr add ${address}/24 dev ${theirs}`)
    there(`link set ${theirs} up`)
    there('link set lo up')
    // Otherwise the kernel finds after three seconds that no machine has the address, and says so.
    const [, hardware = ''] = /link\/ether (\S+)/.exec(there(`link show ${theirs}`)) ?? []
    ip(`neigh replace ${address} lladdr ${hardware} dev ${ours} nud permanent`)
  } catch (error) {
    removeMachine()
    throw error
  }
  return {
    address,
    ourAddress,
    enter,
    cut: () => void there(`addr del ${address}/24 dev ${theirs}`),
    restore: () => void there(`addr add ${address}/24 dev ${theirs}`),
    remove: () => {
      // The kernel removes a namespace's links later, and the next network needs their names.
      ip(`link del ${ours}`)
      removeMachine()
    },
  }
}
