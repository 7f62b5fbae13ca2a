module slipway.test/peers/cluster-api-vsphere

go 1.26.0

// As the provider's own module says.
replace sigs.k8s.io/cluster-api => sigs.k8s.io/cluster-api v1.13.1

require sigs.k8s.io/cluster-api-provider-vsphere v1.16.1
