module slipway.test/peers/pause

go 1.26.0
