module slipway.test/peers/containerd

go 1.26.2

require github.com/containerd/containerd/v2 v2.3.0
