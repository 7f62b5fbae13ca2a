/** The first four bytes of every protobuf body: `k8s` and a zero. */
export const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
export const protobufMediaType = 'application/vnd.kubernetes.protobuf';
