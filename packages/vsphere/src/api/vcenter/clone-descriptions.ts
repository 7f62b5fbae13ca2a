/** Descriptions of the fields that VSphereMachines, VSphereVMs and HAProxyLoadBalancers share in all versions. */
export const cloneDescriptions = {
  additionalDisksGiB:
    'Sizes in GiB of the second and further disks of the template, in their order. Disks without an entry keep their size. Applies to full clones only, and a disk cannot be made smaller. Immutable.',
  cloneMode:
    'How the template is cloned. linkedClone creates disks that refer to a snapshot of the template, and becomes a full clone if no snapshot is usable; fullClone copies the disks. Defaults to linkedClone. Immutable.',
  cryptoKeyID:
    'ID of the key provider (KMIP key server cluster) in vCenter. A new key of this provider encrypts the virtual machine. Immutable.',
  cryptoProfile: 'Name of the storage policy for encryption that applies to the virtual machine. Immutable.',
  customVMXKeys:
    'Additional settings for extraConfig of the virtual machine, by key. Written when the virtual machine is created. Immutable.',
  dataDisks:
    'Disks that are added to those of the template when the virtual machine is created. At most 29. Immutable.',
  datacenter:
    'Name or inventory path of the datacenter. Defaults to "*", which requires that the vCenter has exactly one datacenter. The datacenter of a failure domain takes precedence. Immutable.',
  datastore:
    'Name, inventory path or managed object ID of the datastore for the disks. If not set, a datastore that is compatible with storagePolicyName is used, or else the only datastore of the datacenter. The datastore of a failure domain takes precedence. Immutable.',
  diskGiB:
    'Size in GiB of the first disk. If not set, the disk keeps the size that it has in the template. Ignored for linked clones, and the disk cannot be made smaller. Immutable.',
  folder:
    'Name, inventory path or managed object ID of the folder for the virtual machine. Defaults to the virtual machine folder of the datacenter. The folder of a VSphereDeploymentZone takes precedence. Immutable.',
  ftEncryptionMode:
    'Encryption of the traffic of vSphere Fault Tolerance. If not set, the setting of the template is kept. Immutable.',
  hardwareVersion:
    'Minimum virtual hardware version, such as vmx-19. A virtual machine with an older version is upgraded before it is powered on. If not set, the version of the template is kept. Immutable.',
  memoryMiB: 'Memory of the virtual machine in MiB. Defaults to 2048. Immutable.',
  migrateEncryption:
    'Encryption of vMotion migrations of the virtual machine. If not set, the setting of the template is kept. Immutable.',
  nestedHV:
    'Expose hardware-assisted virtualization to the guest. If not set, the setting of the template is kept. Immutable.',
  network:
    'Network devices and routes of the virtual machine. The network devices of the template are removed. The list of devices can be changed later, everything else is immutable.',
  numCPUs: 'Number of virtual CPUs. Defaults to 2, which is also the minimum. Immutable.',
  numCoresPerSocket:
    'Number of cores per virtual CPU socket. 0 lets vSphere 8 and later choose at power-on. If not set, the value of the template is kept. Immutable.',
  os: 'Operating system of the guest: Linux or Windows. Defaults to Linux. The name of a Windows virtual machine is shortened to 15 characters. Immutable.',
  pciDevices:
    'PCI devices and virtual GPUs that are attached to the virtual machine. If any are set, the whole memory of the virtual machine is reserved. Immutable.',
  resourcePool:
    'Name, inventory path or managed object ID of the resource pool. Defaults to the only resource pool of the datacenter. The resource pool of a VSphereDeploymentZone takes precedence. Immutable.',
  resources:
    'CPU and memory that are reserved for the virtual machine, its limits, and its share under contention. Immutable.',
  server:
    'Host name, host:port or URL of the vCenter. Defaults to the server of the VSphereCluster. The server of a VSphereDeploymentZone takes precedence. Immutable.',
  snapshot:
    'Name of the snapshot of the template that a linked clone starts from. Defaults to the current snapshot of the template. Immutable.',
  storagePolicyName:
    'Name of the storage policy for the virtual machine and its disks. It is applied while the virtual machine is powered off. Immutable.',
  tagIDs:
    'IDs of the vSphere tags that are attached to the virtual machine, in the form urn:vmomi:InventoryServiceTag:<uuid>:GLOBAL. Immutable.',
  template:
    'Virtual machine or template that is cloned: its name, inventory path, managed object ID or instance UUID. Immutable.',
  thumbprint:
    "SHA-1 or SHA-256 fingerprint of vCenter's TLS certificate, as hexadecimal pairs separated by colons. Defaults to the thumbprint of the VSphereCluster. If neither is set, the certificate is not verified.",
} as const;

export const powerOffModeDescription =
  'How the virtual machine is powered off when it is deleted. hard powers it off immediately. soft shuts the guest down and waits without a limit. trySoft shuts the guest down and powers it off after the timeout. Defaults to hard. Can be changed.';

export const powerOffTimeoutDescription =
  'How long trySoft waits for the guest to shut down before the virtual machine is powered off. Can be set only if powerOffMode is trySoft. Can be changed.';

export const dataDiskDescriptions = {
  name: 'Name of the disk, unique within the list.',
  provisioningMode:
    'How space is allocated: Thin on first write, Thick at creation, EagerlyZeroed at creation and overwritten with zeros. If not set, vCenter decides.',
  sizeGiB: 'Size of the disk in GiB.',
} as const;

export const pciDeviceDescriptions = {
  customLabel: 'Hardware label of the device. Only a device with the same label is assigned.',
  deviceId:
    'Device ID of a PCI device that is passed through. Requires vendorId, and cannot be set together with vGPUProfile.',
  vGPUProfile: 'Name of a virtual GPU profile. Cannot be set together with deviceId and vendorId.',
  vendorId:
    'Vendor ID of a PCI device that is passed through. Requires deviceId, and cannot be set together with vGPUProfile.',
} as const;

export const failureDomainV1Beta1Description =
  'Not used: the failure domain of the Machine applies. Removed in v1beta2.';

const namingTemplateDescription =
  'Go template for the name of the virtual machine. It may use .machine.name and the functions trimSuffix and trunc. The result is cut at 63 characters and must be a DNS subdomain. Defaults to the name of the Machine.';

export const namingDescriptions = { template: namingTemplateDescription } as const;
export const namingDescription = 'How the virtual machine is named. Immutable.';
export const providerIdDescription =
  'ID of the virtual machine: vsphere:// followed by its BIOS UUID. Written by the controller, and equal to spec.providerID of the Node. Cannot be set in a template.';
