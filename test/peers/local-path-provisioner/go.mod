module slipway.test/peers/local-path-provisioner

go 1.26.0

require github.com/rancher/local-path-provisioner v0.0.30
