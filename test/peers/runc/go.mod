module slipway.test/peers/runc

go 1.26.0

require github.com/opencontainers/runc v1.4.0
