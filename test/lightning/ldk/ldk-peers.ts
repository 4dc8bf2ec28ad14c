import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Option_SocketAddressZ, SocketDescriptor, type PeerManager } from 'lightningdevkit';

let lastId = 0n;

/** The connections of an LDK node to its peers, by TCP. */
export class LdkPeers {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor(private readonly manager: PeerManager) {
    this.server = createServer((socket) => {
      const accepted = manager.new_inbound_connection(this.describe(socket), Option_SocketAddressZ.constructor_none());
      if (!accepted.is_ok()) socket.destroy();
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async connectTo({ port }: LdkPeers, nodeId: Uint8Array): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const greeting = this.manager.new_outbound_connection(nodeId, this.describe(socket), Option_SocketAddressZ.constructor_none());
    if (!greeting.is_ok()) throw new Error('LDK refused the connection');
    socket.write(Buffer.from((greeting as unknown as { res: Uint8Array }).res));
  }

  disconnect(): void {
    this.sockets.forEach((socket) => socket.destroy());
  }

  close(): void {
    this.server.close();
    this.disconnect();
  }

  private describe(socket: Socket): SocketDescriptor {
    const id = ++lastId;
    let isClosed = false;
    const descriptor = SocketDescriptor.new_impl({
      send_data: (data, resume) => {
        if (isClosed) return 0;
        socket.write(Buffer.from(data));
        if (resume) socket.resume();
        return data.length;
      },
      disconnect_socket: () => {
        isClosed = true;
        socket.destroy();
      },
      eq: (other) => other.hash() === id,
      hash: () => id,
    });
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (isClosed) return;
      if (this.manager.read_event(descriptor, Uint8Array.from(data)).is_ok()) return this.manager.process_events();
      isClosed = true;
      socket.destroy();
    });
    socket.on('close', () => {
      this.sockets.delete(socket);
      if (!isClosed) this.manager.socket_disconnected(descriptor);
      isClosed = true;
    });
    return descriptor;
  }
}
